"id","parent_id","parent_no","parent_k"
"9","1","5","x"
