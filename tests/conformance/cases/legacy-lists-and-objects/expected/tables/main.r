"id","l","o_x"
"1","r_fd23dad4c5dc62a0952773e8d2f1809e","5"
