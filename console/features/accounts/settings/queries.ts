import {
  getAccountOptions,
  getSecondFactorsOptions,
  listAccountSessionsOptions,
  listSshKeysOptions,
  listWalletsOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';

export const accountOptions = () => getAccountOptions();

/** Refetched on every visit, because other devices change it, too. */
export const factorsOptions = () => ({ ...getSecondFactorsOptions(), staleTime: 0 });
export const sessionsOptions = () => ({ ...listAccountSessionsOptions(), staleTime: 0 });
export const sshKeysOptions = () => listSshKeysOptions();
export const walletsOptions = () => listWalletsOptions();
