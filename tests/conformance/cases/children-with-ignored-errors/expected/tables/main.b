"no","id","parent_id"
"way","","1"
"","5","2"
