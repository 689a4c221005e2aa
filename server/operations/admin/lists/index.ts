import { cancelAdminBulkJob } from './cancelAdminBulkJob';
import { createAdminBulkJob } from './createAdminBulkJob';
import { createAdminView } from './createAdminView';
import { deleteAdminView } from './deleteAdminView';
import { getAdminBulkJob } from './getAdminBulkJob';
import { getAdminView } from './getAdminView';
import { listAdminBulkJobRows } from './listAdminBulkJobRows';
import { listAdminBulkJobs } from './listAdminBulkJobs';
import { listAdminViews } from './listAdminViews';
import { updateAdminView } from './updateAdminView';

export const adminListHandlers = {
  cancelAdminBulkJob,
  createAdminBulkJob,
  createAdminView,
  deleteAdminView,
  getAdminBulkJob,
  getAdminView,
  listAdminBulkJobRows,
  listAdminBulkJobs,
  listAdminViews,
  updateAdminView,
};
