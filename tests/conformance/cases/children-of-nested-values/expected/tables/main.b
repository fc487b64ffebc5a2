"id","parent_o_key"
"5","k/1"
