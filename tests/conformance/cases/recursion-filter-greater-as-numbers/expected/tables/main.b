"id","parent_id"
"20","2"
"30","3"
