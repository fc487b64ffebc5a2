"id","kind","parent_id"
"5","k","1"
