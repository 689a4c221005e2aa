import {
  getAccountOptions,
  getSecondFactorsOptions,
  listAccountSessionsOptions,
  listSshKeysOptions,
} from '../../../generated/api/@tanstack/react-query.gen';

export const accountOptions = () => getAccountOptions();

/** Asked anew by every visit: it is also changed from elsewhere. */
export const factorsOptions = () => ({ ...getSecondFactorsOptions(), staleTime: 0 });
export const sessionsOptions = () => ({ ...listAccountSessionsOptions(), staleTime: 0 });
export const sshKeysOptions = () => listSshKeysOptions();
