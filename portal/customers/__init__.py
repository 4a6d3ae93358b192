"""The customer desk: who the customers are, what happened with each of them across all desks, and whom nobody has matched yet.

The accounts themselves lie a floor below, where every desk finds them. Here people create, change and delete them on the
platform, see them whole, and are told of people whose mail domain belongs to one of them or should.
"""
