import type {
  CheckCvmNetwork,
  CvmNetwork,
  CvmStatus,
  DomainList,
  NetworkCheck,
} from '../../../../generated/api/types.gen';
import type { CvmTab } from '../../../lib/paths';
import type { Problem } from '../../../ui/feedback/problem';

/** What the network page needs of its CVM. */
export interface NetworkCvm {
  name: string;
  status: CvmStatus;
  /** Its host answers this server. */
  host_reachable: boolean;
}

/** One address that was tried, or is being tried. */
export interface Tried {
  pending: boolean;
  result: NetworkCheck | null;
  problem: Problem | null;
}

export interface NetworkProps {
  cvm: NetworkCvm;
  /** Undefined while it is read for the first time. */
  network: CvmNetwork | undefined;
  problem: Problem | null;
  domains: DomainList | undefined;
  domainsProblem: Problem | null;
  /** By `triedKey`. */
  tried: ReadonlyMap<string, Tried>;
  /** Why domains cannot be changed by this person; undefined when they can. */
  shut: string | undefined;
  /** The domain that DNS is being asked about because somebody pressed the button. */
  verifying: string | null;
  verifyProblem: { id: string; problem: Problem } | null;
  link: (tab: CvmTab, search?: Readonly<Record<string, string>>) => string;
  onTry: (what: CheckCvmNetwork) => void;
  onAddDomain: () => void;
  onVerifyDomain: (id: string) => void;
  onRemoveDomain: (id: string) => void;
}

export const triedKey = ({ port, form = 'http', of = 'app', domain_id }: CheckCvmNetwork): string =>
  domain_id ?? `${port ?? ''} ${form} ${of}`;
