"id","parent_id"
"8","1"
