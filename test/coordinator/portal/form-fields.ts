/** Forms that need no password: they grant no access, show no secret and delete nothing. */
export const harmless = ['/sign-out', '/jobs/new', '/jobs/:id/abort', '/company/keys/names'];

/** The fields of each other form; the last ones remove what the others need. */
export const formsOf = (items: string): Record<string, Record<string, string>> => ({
  '/account/confirm': { next: '/jobs' },
  '/company/members': { email: 'new@example.com', first_name: 'N', last_name: 'N', role: 'user' },
  '/company/members/change': { person: 'new@example.com', what: 'disable' },
  '/customers': { company: 'New Ltd', tier: 'plus', email: 'first@example.com', first_name: 'F', last_name: 'L' },
  '/customers/tier': { of: 'Owner Ltd', to: 'enterprise' },
  '/customers/users/change': { person: 'new@example.com', what: 'end_sessions' },
  '/company/applications': { name: 'robot', description: 'for the nightly runs' },
  '/company/applications/token': { client_id: 'robot', client_secret: 'secret' },
  '/company/applications/revoke': { id: '1' },
  '/company/applications/delete': { id: '1' },
  '/company/applications/take-over': { id: '1' },
  '/company/keys/make': { under: 'ci' },
  '/company/keys/delete': { id: '1' },
  '/jobs/:id/share': { days: '7' },
  '/jobs/:id/share/revoke': { share: '1' },
  '/compare/share': { items, days: '7' },
  '/compare/share/revoke': { items, share: '1' },
  '/jobs/:id/delete': {},
  '/account/second-factor/begin': {},
  '/account/second-factor': { code: '000000' },
  '/account/second-factor/recovery-codes': { code: '000000' },
  '/account/second-factor/remove': { code: '000000' },
  '/company/members/second-factor': { require_second_factor: 'yes' },
  '/account/password': { new_password: 'a second good phrase 8' },
  '/account/sessions/end': { session: 'all' },
});
