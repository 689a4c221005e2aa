import type { ReactNode } from 'react';
import type {
  CheckCvmNetwork,
  CvmNetwork,
  CvmStatus,
  DomainList,
  NetworkCheck,
} from '../../../generated/api/types.gen';
import type { CvmTab } from '../../lib/paths';
import type { Problem } from '../../ui/feedback/problem';

/** The CVM fields the network page needs. */
interface NetworkCvm {
  name: string;
  status: CvmStatus;
  /** Whether its host responds to this server. */
  host_reachable: boolean;
  /** Whether its containers are simulated, because the local teepod has no Docker engine. */
  simulated?: boolean;
}

/** One address tested or being tested. */
export interface Tried {
  pending: boolean;
  result: NetworkCheck | null;
  problem: Problem | null;
  /** Whether it was tested from the verdict, which then shows the problem in place of the address. */
  fromVerdict?: boolean | undefined;
}

export interface NetworkProps {
  cvm: NetworkCvm;
  /** Undefined during the initial load. */
  network: CvmNetwork | undefined;
  problem: Problem | null;
  domains: DomainList | undefined;
  domainsProblem: Problem | null;
  /** Keyed by `triedKey`. */
  tried: ReadonlyMap<string, Tried>;
  /** Why the user can't change domains; undefined if they can. */
  refused: string | undefined;
  /** The domain whose DNS check the user requested. */
  verifying: string | null;
  verifyProblem: { id: string; problem: Problem } | null;
  /** The section about the app’s MCP server. */
  mcp?: ReactNode;
  link: (tab: CvmTab, search?: Readonly<Record<string, string>>) => string;
  onTry: (what: CheckCvmNetwork, options?: { fromVerdict: boolean }) => void;
  onAddDomain: () => void;
  onVerifyDomain: (id: string) => void;
  onRemoveDomain: (id: string) => void;
}

export const triedKey = ({ port, form = 'http', of = 'app', domain_id }: CheckCvmNetwork): string =>
  domain_id ?? `${port ?? ''} ${form} ${of}`;
