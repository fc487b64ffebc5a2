"id","parent_ids"
"5","7"
"6","8"
