import { ownValue } from '../../console/lib/ownValue';
import type { PictureName } from '../../console/ui/feedback/Picture';
import type { ResourceDescription } from '../schema/types';

const PICTURES: Readonly<Record<string, PictureName>> = {
  apps: 'apps',
  announcements: 'notifications',
  alerts: 'notifications',
  invoices: 'invoices',
  gpus: 'gpu',
  'gpu-events': 'gpu',
  kms: 'kms',
  'kms-contracts': 'kms',
  'os-images': 'images',
  outbox: 'mail',
  usage: 'usage',
  views: 'search',
};

const OF_GROUP: Readonly<Record<string, PictureName>> = {
  ai: 'ai',
  billing: 'money',
  catalog: 'cvms',
  compute: 'cvms',
  infrastructure: 'hosts',
  teams: 'members',
};

/** Returns the illustration for an empty list, by resource or else by menu group. */
export const pictureOf = ({ name, group }: ResourceDescription): PictureName =>
  ownValue(PICTURES, name) ?? ownValue(OF_GROUP, group) ?? 'events';
