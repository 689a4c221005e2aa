import { getApp } from './getApp';
import { getAppRevision } from './getAppRevision';
import { listAppCvms } from './listAppCvms';
import { listAppRevisions } from './listAppRevisions';
import { listApps } from './listApps';

export const appHandlers = { listApps, getApp, listAppCvms, listAppRevisions, getAppRevision };
