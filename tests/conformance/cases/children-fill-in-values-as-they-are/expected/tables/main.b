"id","parent_id"
"5","x y?z=1"
