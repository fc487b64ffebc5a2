"id","parent_id"
"5","007"
