import { useState } from 'react';

/** In memory only: an address in a URL or a store would outlive the visit. */
let typed = '';

/** The email address typed on a sign-in page, which the next one starts with. */
export function useTypedEmail(): [string, (email: string) => void] {
  const [email, setEmail] = useState(typed);
  return [
    email,
    (next) => {
      typed = next;
      setEmail(next);
    },
  ];
}
