"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk","aedbc330ec135bf79f8a1988a8cf9531","TrotnsitlqaE__shops_in_the_last_quarter_net_amount__EUR"
"1","2","3"
