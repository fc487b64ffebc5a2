"id","parent_id"
"5","1"
"6","1"
