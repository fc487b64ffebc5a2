"id","parent_id"
"20","2"
"50","5"
