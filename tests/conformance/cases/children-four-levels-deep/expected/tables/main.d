"d","parent_id","parent_b","parent_c"
"4","1","2","3"
