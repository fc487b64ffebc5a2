"id","parent_id"
"10","1"
"20","2"
