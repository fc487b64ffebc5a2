"id","parent_l_1_n"
"5","9"
