"id","parent_id"
"5",""
