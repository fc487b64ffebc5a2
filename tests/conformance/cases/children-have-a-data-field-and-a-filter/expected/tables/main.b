"v","parent_id"
"[1]","1"
