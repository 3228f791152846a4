// Nothing is fetched.
