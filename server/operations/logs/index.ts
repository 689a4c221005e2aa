import { getContainerLogs } from './getContainerLogs';
import { getCvmLogs } from './getCvmLogs';

export const logHandlers = { getCvmLogs, getContainerLogs };
