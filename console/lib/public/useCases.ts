import { confidentialInference } from './cases/confidentialInference';
import { keyManagement } from './cases/keyManagement';
import { multiPartyData } from './cases/multiPartyData';
import { oracle } from './cases/oracle';
import { privateApiKeys } from './cases/privateApiKeys';
import { provableBackend } from './cases/provableBackend';
import type { UseCase } from './cases/useCase';

export const USE_CASES: readonly UseCase[] = [
  privateApiKeys,
  confidentialInference,
  keyManagement,
  multiPartyData,
  provableBackend,
  oracle,
];
