import type { Handler } from '../../types';
import { unknownToken } from './onChainCommit';

export const commitCvmUpdate: Handler<'commitCvmUpdate'> = async () => {
  throw unknownToken();
};
