"id","parent_id"
"5","x+y%2Fz"
