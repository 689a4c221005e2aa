import type { AppCompose, Cvm, CvmDetail } from '../../generated/api/types.gen';
import { ApiError, getCvm, getCvmComposeFile, listAppCvms, type Client } from '../client';

/** The app's current state on the server. */
export interface Deployed {
  /** The CVM with the app's name. */
  cvm: CvmDetail;
  app_id: string;
  /** All of the app's CVMs, this one first. */
  cvms: Cvm[];
  compose: AppCompose;
  compose_hash: string;
}

/** Returns the app, or null if the team has no CVM with this name. @throws {ApiError} */
export async function readDeployed(client: Client, name: string): Promise<Deployed | null> {
  const options = { client, throwOnError: true } as const;
  const cvm = await getCvm({ ...options, path: { cvm_id: name } })
    .then(({ data }) => data)
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'ERR-03-001') return null;
      throw error;
    });
  if (cvm === null || cvm.app_id === null || cvm.compose_hash === null) return null;
  const { app_id, compose_hash } = cvm;
  const [{ data: compose }, { data: cvms }] = await Promise.all([
    getCvmComposeFile({ ...options, path: { cvm_id: cvm.id } }),
    listAppCvms({ ...options, path: { app_id } }),
  ]);
  const others = cvms.filter(({ id }) => id !== cvm.id);
  return { cvm, app_id, cvms: [cvm, ...others], compose, compose_hash };
}
