import { z } from 'zod';

/**
 * How a session is handed over. A cookie that scripts cannot read is always set; `token` (the default) also puts the token
 * into the answer, for programs. The browser client asks for `cookie`.
 */
export const sessionDelivery = z.enum(['cookie', 'token']).default('token');
