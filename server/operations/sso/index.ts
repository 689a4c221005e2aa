import { deleteSso } from './deleteSso';
import { discoverSso } from './discoverSso';
import { finishSso } from './finishSso';
import { getSso } from './getSso';
import { putSso } from './putSso';
import { startSso } from './startSso';
import { testSso } from './testSso';
import { verifySsoDomain } from './verifySsoDomain';

export const ssoHandlers = {
  deleteSso,
  discoverSso,
  finishSso,
  getSso,
  putSso,
  startSso,
  testSso,
  verifySsoDomain,
};
