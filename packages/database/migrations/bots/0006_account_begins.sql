DROP INDEX "bots"."journal_money";--> statement-breakpoint
CREATE INDEX "journal_moved" ON "bots"."journal" USING btree ("bot_id","seq") WHERE kind in ('fill', 'funding', 'liquidation', 'position_closed', 'external');--> statement-breakpoint
CREATE INDEX "journal_account" ON "bots"."journal" USING btree ("bot_id","seq") WHERE kind = 'command' and data ->> 'acts' = 'flat_reload';