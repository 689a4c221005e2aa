import { optionsFrom, serve } from '../serve';
import { attestationServer } from './attestation';

/** Bundled into the Compose file of the template mcp-attestation. */
const options = optionsFrom(process.env);
serve(attestationServer('/var/run/dstack.sock'), options);
