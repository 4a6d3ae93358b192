"""The contract desk: the copy of the platform's contracts, and the uploads that are on their way to it.

The platform takes ten contracts a minute, hands no file back, and knows each contract by the external id that came with it.
So an upload is a row that waits with its file until the platform has it, and the external id is what keeps it from being
stored twice.
"""
