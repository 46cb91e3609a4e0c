CREATE TABLE "bots"."notices" (
	"bot_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"owner" text NOT NULL,
	"at" bigint NOT NULL,
	"pair" text,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	"seen_at" bigint,
	"taken_at" bigint,
	CONSTRAINT "notices_bot_id_seq_pk" PRIMARY KEY("bot_id","seq")
);
--> statement-breakpoint
ALTER TABLE "bots"."notices" ADD CONSTRAINT "notices_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "bots"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notices_owner" ON "bots"."notices" USING btree ("owner","at");--> statement-breakpoint
CREATE INDEX "notices_unseen" ON "bots"."notices" USING btree ("owner") WHERE seen_at is null;--> statement-breakpoint
CREATE INDEX "notices_untaken" ON "bots"."notices" USING btree ("at") WHERE taken_at is null;--> statement-breakpoint
CREATE INDEX "notices_at" ON "bots"."notices" USING btree ("at");