"""What a response holds beside its records, by the conventions of many APIs: totals, flags, and the next page.

fields.py       the values outside the records, with their paths
signs.py        flags such as `has_more`, and totals
next_values.py  tokens and addresses of the next page
"""
