"id","parent_id"
"20","2"
