"id","parent_id"
"10","1"
