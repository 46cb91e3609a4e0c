CREATE TABLE "bots"."equity" (
	"bot_id" text NOT NULL,
	"at" bigint NOT NULL,
	"total" text NOT NULL,
	"start" text NOT NULL,
	CONSTRAINT "equity_bot_id_at_pk" PRIMARY KEY("bot_id","at")
);
--> statement-breakpoint
ALTER TABLE "bots"."equity" ADD CONSTRAINT "equity_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "bots"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "journal_money" ON "bots"."journal" USING btree ("bot_id","seq") WHERE kind in ('fill', 'funding', 'liquidation', 'position_closed', 'external', 'command');