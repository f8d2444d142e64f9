"""Training the senses `learned`: attempts with pictures before and after, a judge of them, and its export."""
