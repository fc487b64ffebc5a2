"id","parent_id"
"7","1"
"8","1"
