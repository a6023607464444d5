/** Two of a tenant's users, as a key without scopes sees them. */
export const userListing = {
  request: { limit: 50, filter: { query: 'ann', active: true } },
  answer: {
    source: 'embedded',
    users: [
      { id: '17', name: 'Ann Example', email: 'a•••@example.com', email_masked: true, active: true },
      { id: '18', name: 'Bob Example', email: null, email_masked: false, active: true },
    ],
    next_cursor: '4cFxM0p2ZB1n1xH1eJ0cUTE4',
  },
};
