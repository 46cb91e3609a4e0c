import { z } from 'zod';

/**
 * Delivery of a new session. A cookie that scripts cannot read is always set. `token` (the default) also adds the token to the
 * response, for programs. The browser client sends `cookie`.
 */
export const sessionDelivery = z.enum(['cookie', 'token']).default('token');
