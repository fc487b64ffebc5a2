"l"
"r_b63bdb44b4293baa69a4070e3ff51e5d"
