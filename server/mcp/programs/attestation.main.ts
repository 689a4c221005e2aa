import { openDoor, optionsFrom } from '../door';
import { serviceOf } from '../service';
import { attestationServer } from './attestation';

/** Bundled into the Compose file of the template mcp-attestation. */
const options = optionsFrom(process.env);
openDoor(serviceOf(attestationServer('/var/run/dstack.sock')), options);
