"b","parent_id"
"2","1"
