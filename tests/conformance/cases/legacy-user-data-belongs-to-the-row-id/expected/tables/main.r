"id","l","shop"
"1","r_1a059341237c7f385c9a04b60df3a757","north"
