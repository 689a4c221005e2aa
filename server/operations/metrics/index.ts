import { exportAppUsage } from './exportAppUsage';
import { exportCvmMetrics } from './exportCvmMetrics';
import { exportCvmUsage } from './exportCvmUsage';
import { getAppMetrics } from './getAppMetrics';
import { getAppUsage } from './getAppUsage';
import { getCvmMetrics } from './getCvmMetrics';
import { getCvmUsage } from './getCvmUsage';

export const metricsHandlers = {
  getCvmMetrics,
  exportCvmMetrics,
  getCvmUsage,
  exportCvmUsage,
  getAppMetrics,
  getAppUsage,
  exportAppUsage,
};
