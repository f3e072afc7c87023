(** * The checker is to be believed

    Every entry of its table is a position from which the goal is reached ([good] below): that holds
    of the empty table, and of each entry when it is made. So nothing else about the table matters,
    nor which plans and moves a solution has. The last two theorems are what this file is for. *)
From Coq Require Import ZArith List Uint63 Lia Bool.
From ConnectFour Require Import Game Sane Check Bits Boards.
Import ListNotations.
Local Open Scope Z_scope.

Section Board.
Variables width height : Z.
Hypothesis narrow : width <= 7.
Hypothesis low : height <= 6.
Variable goal : aim.
Notation playable := (playable width height).
Notation reaches := (reaches width height goal).
Notation shows := (shows width height).
Notation all := (board width height).

(** What [p] and [q] stand for: my discs and yours, and you have no line. *)
Record stands (p q : int) (mine yours : list square) : Prop := {
  for_mine : shows p mine;
  for_yours : shows q yours;
  no_line : ~ four yours }.

(** With these bitboards the player to move reaches the goal, whatever lists they stand for. *)
Definition won (p q : int) : Prop := forall mine yours, stands p q mine yours -> reaches mine yours.

Lemma stands_empty : stands 0 0 [] [].
Proof.
  split; try apply shows_none. intros (c & r & dc & dr & _ & [] & _).
Qed.

(** Putting a disc on a bitboard is putting its square in front of the list. *)
Lemma stands_mine p q b mine yours s : stands p q mine yours -> playable mine yours s ->
  to_Z b = place s -> stands (put p b) q (s :: mine) yours.
Proof. destruct s. intros [P Q N] (C & R & _) E. split; auto. now apply shows_put. Qed.

Lemma stands_yours p q b mine yours s : stands p q mine yours -> playable mine yours s ->
  to_Z b = place s -> ~ four (s :: yours) -> stands p (put q b) mine (s :: yours).
Proof. destruct s. intros [P Q N] (C & R & _) E. split; auto. now apply shows_put. Qed.

Lemma bit_playable p q mine yours k : stands p q mine yours ->
  bit (playables all p q) k = true <-> exists s, k = place s /\ playable mine yours s.
Proof.
  intros [P Q _]. rewrite (bit_playables width height narrow low p q mine yours k P Q).
  split; [intros (c & r & X); exists (c, r); exact X|intros ([c r] & X); exists c, r; exact X].
Qed.

(** ** One move *)
(** A playable square that completes a line wins. *)
Lemma at_once p q mine yours k : stands p q mine yours ->
  bit (completing p land playables all p q)%uint63 k = true -> reaches mine yours.
Proof.
  intros S K. rewrite bit_land, andb_true_iff, (bit_playable _ _ _ _ _ S) in K.
  destruct K as [K ([c r] & -> & U)]. apply (by_a_line _ _ _ _ _ (c, r) U).
  pose proof U as (? & ? & _). eapply completes_four; eauto using for_mine.
Qed.

(** The same one move later, where the reply lies elsewhere: a threat that was not answered. *)
Lemma threat p q mine yours t k : stands p q mine yours ->
  bit (completing p land playables all p q)%uint63 k = true ->
  k <> place t -> reaches mine (t :: yours).
Proof.
  intros S K N. rewrite bit_land, andb_true_iff, (bit_playable _ _ _ _ _ S) in K.
  destruct K as [K ([c r] & -> & U)]. pose proof U as (C & R & E & D).
  apply (by_a_line _ _ _ _ _ (c, r)); [|eapply completes_four; eauto using for_mine].
  assert (I : forall s, In s (mine ++ t :: yours) <-> s = t \/ In s (mine ++ yours))
    by (intro; rewrite !in_app_iff; simpl; intuition).
  repeat split; try lia; rewrite I; intuition congruence.
Qed.

(** A move reaches the goal if no reply completes a line and it is reached after each reply. *)
Lemma step p q b mine yours : stands p q mine yours ->
  zero (playables all p q land (1 << b))%uint63 = false ->
  goal = hold \/ zero (playables all (put p b) q) = false ->
  zero (completing q land playables all (put p b) q)%uint63 = true ->
  (forall t s, stands (put p b) q (s :: mine) yours -> playable (s :: mine) yours t ->
    ~ four (t :: yours) -> reaches (s :: mine) (t :: yours)) ->
  reaches mine yours.
Proof.
  intros S B E H A. apply zero_false in B as [k K].
  rewrite bit_land, andb_true_iff, bit_single, (bit_playable _ _ _ _ _ S) in K.
  destruct K as [(s & -> & U) [Eq _]]. pose proof (stands_mine _ _ b _ _ _ S U (eq_sym Eq)) as S'.
  apply (by_a_move _ _ _ _ _ s U).
  - destruct E as [E|E]; [auto|right]. apply zero_false in E as [k K].
    apply (bit_playable _ _ _ _ _ S') in K as (t & _ & T). eauto.
  - intros t T. assert (N : ~ four (t :: yours)); [|auto]. intro F. destruct t as [c r].
    assert (P : bit (playables all (put p b) q) (7 * c + r - 8) = true)
      by (apply (bit_playable _ _ _ _ _ S'); now exists (c, r)).
    apply (zero_true _ (7 * c + r - 8)) in H. rewrite bit_land, P, andb_true_r in H.
    pose proof T as (C & R & _).
    rewrite (four_completes width height narrow low q yours c r) in H;
      [discriminate|apply S|auto|apply S|exact F].
Qed.

(** ** Threats *)
Lemma any_true fuel f x : any fuel f x = true -> exists b, bit x (to_Z b) = true /\ f b = true.
Proof.
  revert x. induction fuel as [|fuel IH]; intro x; cbn [any]; [discriminate|].
  destruct (zero x) eqn:Z; [discriminate|]. destruct (f (tail0 x)) eqn:F.
  - eauto using bit_tail0.
  - intro A. apply IH in A as (b & B & Fb). exists b. split; [|exact Fb].
    rewrite bit_lxor in B. destruct (bit x (to_Z b)) eqn:X; [reflexivity|].
    rewrite xorb_false_l in B. apply bit_single in B as [E _]. apply to_Z_inj in E. congruence.
Qed.

(** Threats in a row: if the one forced reply comes, the rest of them goes on; if another one comes,
    the threat is carried out. *)
Lemma wins_won n : forall p q, wins all n p q = true -> won p q.
Proof.
  induction n as [|n IH]; intros p q H mine yours S; cbn [wins] in H;
    (destruct (zero (completing p land playables all p q)%uint63) eqn:Z;
      [|apply zero_false in Z as [k K]; now apply (at_once p q _ _ k)]).
  { discriminate. }
  apply any_true in H as (b & B & H). set (p' := put p b) in *.
  destruct (zero (completing q land playables all p' q)%uint63) eqn:Zh; [|discriminate].
  set (forced := (completing p' land playables all p' q)%uint63) in *.
  destruct (zero forced) eqn:Zf; [discriminate|]. pose proof (bit_tail0 _ Zf) as F.
  apply (step p q b); auto.
  - apply zero_false. exists (to_Z b). rewrite bit_land. apply andb_true_iff. split.
    + destruct (zero (completing q land playables all p q)%uint63); [exact B|].
      rewrite bit_land in B. now apply andb_true_iff in B.
    + apply bit_single. split; [reflexivity|]. now apply bit_range in B.
  - right. apply zero_false. exists (to_Z (tail0 forced)). unfold forced at 1 in F.
    rewrite bit_land in F. now apply andb_true_iff in F.
  - intros t s S' T N. destruct (Z.eq_dec (to_Z (tail0 forced)) (place t)) as [E|E].
    + apply (IH _ _ H). now apply stands_yours.
    + eapply threat; eauto.
Qed.

(** ** Where no line is left to the other player, any moves hold *)
Lemma has_index mine yours s : playable mine yours s -> exists b, to_Z b = place s.
Proof.
  destruct s as [c r]. intros (C & R & _). exists (of_Z (7 * c + r - 8)).
  apply of_to_small. unfold place. lia.
Qed.

Lemma empty mine yours s : playable mine yours s ->
  In s (squares width height) /\ ~ In s (mine ++ yours).
Proof. destruct s as [c r]. intros (C & R & N & _). split; [now apply in_squares|exact N]. Qed.

Lemma square_dec (s t : square) : {s = t} + {s <> t}.
Proof. repeat decide equality. Qed.

(** By induction on the number of squares in a list [l], which has all empty ones. *)
Lemma held_holds p0 q0 m y : goal = hold -> shows p0 m -> shows q0 y -> held all p0 q0 = true ->
  forall n l p q mine yours, (length l <= n)%nat ->
  (forall s, In s (squares width height) -> ~ In s (mine ++ yours) -> In s l) ->
  shows p mine -> shows q yours -> incl m mine -> (forall s, In s yours -> ~ In s m \/ In s y) ->
  forall t, playable mine yours t -> ~ four (t :: yours) /\ reaches mine (t :: yours).
Proof.
  intros G M Y H. induction n as [|n IH]; intros l p q mine yours L E P Q I D [x z] T;
    destruct (empty _ _ _ T) as [V W]; pose proof (remove_length_lt square_dec l _ (E _ V W)) as L'.
  { lia. }
  destruct (has_index _ _ _ T) as [b B]. pose proof T as (X & Z & _).
  assert (Q' : shows (put q b) ((x, z) :: yours)) by now apply shows_put.
  assert (D' : forall s, In s ((x, z) :: yours) -> ~ In s m \/ In s y).
  { intros s [<-|J]; [|auto]. left. intro K. apply W, in_app_iff. left. now apply I. }
  split.
  { apply (held_no_four width height narrow low p0 q0 m y _ M Y H). intros u v J.
    split; [now apply Q' in J|]. now apply D'. }
  destruct (zero (playables all p (put q b))) eqn:N.
  { apply by_a_full_board; [exact G|]. intros [c r] U.
    pose proof (bit_playables width height narrow low p _ mine _ (7 * c + r - 8) P Q') as [_ K].
    rewrite (zero_true _ _ N) in K. discriminate K. now exists c, r. }
  apply bit_tail0, (bit_playables width height narrow low p _ mine _ _ P Q') in N
    as (c & r & B' & U).
  apply (by_a_move _ _ _ _ _ (c, r) U); [now left|]. pose proof U as (C & R & _).
  apply (IH (remove square_dec (x, z) l) (put p (tail0 (playables all p (put q b)))) (put q b));
    auto.
  - lia.
  - intros s V' W'. apply in_in_remove.
    + intros ->. apply W'. rewrite in_app_iff. simpl. tauto.
    + apply (E _ V'). intro K. apply W'. rewrite in_app_iff in *. simpl. tauto.
  - now apply shows_put.
  - intros s J. right. now apply I.
Qed.

(** ** The table *)
Fixpoint good (t : table) : Prop :=
  match t with
  | Empty => True
  | Entry _ p q => won p q
  | Fork a b => good a /\ good b
  end.

Lemma known_won t p q : good t -> known t p q = true -> won p q.
Proof.
  unfold known. generalize (hash p q).
  induction t as [|h' p' q'|a IHa b IHb]; cbn [find good]; intros h G H.
  - discriminate.
  - destruct (p =? p')%uint63 eqn:E; [|discriminate]. apply Uint63.eqb_spec in E, H. now subst.
  - destruct G. destruct (zero _); eauto.
Qed.

Lemma good_learn p q t : good t -> won p q -> good (learn p q t).
Proof.
  unfold learn. generalize (hash p q). intros h G W. revert h t G.
  generalize 26%nat. intro d. induction d as [|d IH]; intros h t G; cbn [add]; [exact W|].
  destruct t as [|h' p' q'|a b]; [exact W| |];
    cbn [branches]; repeat match goal with |- context [zero ?x] => destruct (zero x) end;
    cbn [good] in *; repeat split; try apply IH; cbn [good]; tauto.
Qed.

(** What [f] makes of a good table is good, and then [W] holds. *)
Definition sound (f : table -> option table) (W : Prop) : Prop :=
  forall t t', f t = Some t' -> good t -> good t' /\ W.

(** Each reply is dealt with: no bit of [x] is left out. *)
Lemma each_sound fuel f W : (forall b, sound (f b) (W b)) -> forall x,
  sound (each fuel f x) (forall b, bit x (to_Z b) = true -> W b).
Proof.
  intro F. induction fuel as [|fuel IH]; intros x t t' H G; cbn [each] in H;
    destruct (zero x) eqn:Z; try discriminate;
    try (injection H as <-; split; [exact G|]; intros b B; now rewrite (zero_true _ _ Z) in B).
  destruct (f (tail0 x) t) as [t1|] eqn:E; [|discriminate].
  destruct (F _ _ _ E G) as [G1 W1]. destruct (IH _ _ _ H G1) as [G' A]. split; [exact G'|].
  intros b B. destruct (bit (1 << tail0 x)%uint63 (to_Z b)) eqn:S.
  - apply bit_single in S as [S _]. apply to_Z_inj in S. now subst.
  - apply A. now rewrite bit_lxor, B, S.
Qed.

(** The heart of it: what [after] accepts is won, whoever chose the move. *)
Lemma after_sound f p q b : (forall p q, sound (f p q) (won p q)) ->
  sound (after all goal f p q b) (won p q).
Proof.
  intros F t t' H G. unfold after in H. cbv zeta in H.
  destruct (zero _) eqn:B in H; [discriminate|].
  destruct (match goal with win => _ | hold => held _ _ _ end) eqn:Held.
  { injection H as <-. split; [exact G|]. intros mine yours S.
    apply zero_false in B as [k K].
    rewrite bit_land, andb_true_iff, bit_single, (bit_playable _ _ _ _ _ S) in K.
    destruct K as [(s & -> & U) [E _]]. pose proof (stands_mine _ _ b _ _ _ S U (eq_sym E)) as S'.
    destruct goal eqn:Goal; [discriminate|]. rewrite <- Goal in *.
    apply (by_a_move _ _ _ _ _ s U); [now left|]. destruct S' as [P Q _].
    apply (held_holds _ _ _ _ Goal P Q Held _ (squares width height) (put p b) q _ _ (le_n _));
      auto using incl_refl. }
  destruct (match goal with win => _ | hold => _ end) eqn:E in H; [discriminate|].
  destruct (zero (completing q land _)%uint63) eqn:C in H; [|discriminate].
  destruct (each_sound _ _ (fun b' => won (put p b) (put q b')) (fun b' => F _ _) _ _ _ H G)
    as [G' A]. split; [exact G'|].
  intros mine yours S. apply (step p q b); auto.
  { destruct goal; auto. }
  intros t1 s S' T N. destruct (has_index _ _ _ T) as [b' B'].
  apply (A b'); [|now apply stands_yours]. rewrite B'. apply (bit_playable _ _ _ _ _ S'). eauto.
Qed.

(** Whatever a plan says, its positions are won if the checker gets to their ends. *)
Lemma follow_sound fuel plan n p q : sound (follow all goal fuel plan n p q) (won p q).
Proof.
  revert p q. induction fuel as [|fuel IH]; intros p q t t' H G; cbn [follow] in H; [discriminate|].
  cbv zeta in H. destruct (known t p q) eqn:K; [injection H as <-; eauto using known_won|].
  destruct (wins all n p q) eqn:W; [injection H as <-; eauto using wins_won|].
  destruct (after _ _ _ _ _ _ _) as [t1|] eqn:A in H; [|discriminate]. injection H as <-.
  destruct (after_sound _ _ _ _ IH _ _ A G). auto using good_learn.
Qed.

(** ** Mirror images *)
Notation mirror := (mirror width).

Lemma won_mirror p q : won (mirror p) (mirror q) -> won p q.
Proof.
  intros W mine yours [P Q N].
  rewrite <- (flip_flip width mine), <- (flip_flip width yours).
  apply reaches_flip; [assumption..|].
  apply W. split; try now apply shows_mirror. intro F. apply N.
  apply (four_flip width) in F. now rewrite flip_flip in F.
Qed.

(** ** The solution *)
Lemma answered_sound n p q : sound (answered all width n p q) (won p q).
Proof.
  intros t t' H G. unfold answered in H.
  destruct (known t p q) eqn:K; [injection H as <-; eauto using known_won|].
  destruct (known t (mirror p) (mirror q)) eqn:M;
    [injection H as <-; eauto using known_won, won_mirror|].
  destruct (wins all n p q) eqn:W; [|discriminate]. injection H as <-. eauto using wins_won.
Qed.

Lemma leaves_good plan ls : forall met tree tree', leaves all goal plan ls met tree = Some tree' ->
  good met -> good tree -> good tree'.
Proof.
  induction ls as [|[p q n] ls IH]; intros met tree tree' H M T; cbn [leaves] in H.
  - now injection H as <-.
  - destruct (follow _ _ _ _ _ _ _ _) as [met'|] eqn:F in H; [|discriminate].
    destruct (follow_sound _ _ _ _ _ _ _ F M). eauto using good_learn.
Qed.

Lemma planned_good ps : forall tree tree', planned all goal ps tree = Some tree' ->
  good tree -> good tree'.
Proof.
  induction ps as [|[plan ls] ps IH]; intros tree tree' H T; cbn [planned] in H.
  - now injection H as <-.
  - destruct (leaves _ _ _ _ _ _) as [tree1|] eqn:L in H; [|discriminate].
    eapply IH; [exact H|]. eapply leaves_good; [exact L|exact I|exact T].
Qed.

Lemma moved_good n ms : forall tree tree', moved all goal width n ms tree = Some tree' ->
  good tree -> good tree'.
Proof.
  induction ms as [|[p q b] ms IH]; intros tree tree' H T; cbn [moved] in H.
  - now injection H as <-.
  - destruct (after _ _ _ _ _ _ _) as [tree1|] eqn:A in H; [|discriminate].
    destruct (after_sound _ _ _ _ (answered_sound n) _ _ A T). eauto using good_learn.
Qed.

(** After the whole solution, too, the table has nothing but positions that are won. *)
Lemma grown_good s tree : grown all goal width s = Some tree -> good tree.
Proof.
  unfold grown. destruct (planned _ _ _ _) as [tree1|] eqn:P; [|discriminate].
  intro M. eapply moved_good; [exact M|]. eapply planned_good; [exact P|exact I].
Qed.
End Board.

(** ** If the checker says true, the player can reach the goal *)
Theorem first_player_sound width height goal s :
  first_player_checked width height goal s = true -> first_player_can width height goal.
Proof.
  unfold first_player_checked. destruct (width <=? 7) eqn:W, (height <=? 6) eqn:H; try discriminate.
  apply Z.leb_le in W, H. destruct (grown _ _ _ _) as [tree|] eqn:G; [|discriminate].
  intro K. apply (grown_good _ _ W H) in G.
  apply (known_won _ _ _ _ _ _ G K). apply stands_empty.
Qed.

Theorem second_player_sound width height goal s :
  second_player_checked width height goal s = true -> second_player_can width height goal.
Proof.
  unfold second_player_checked.
  destruct (width <=? 7) eqn:W, (height <=? 6) eqn:H; try discriminate.
  apply Z.leb_le in W, H. destruct (grown _ _ _ _) as [tree|] eqn:G; [|discriminate].
  apply (grown_good _ _ W H) in G. destruct (each _ _ _ _) as [tree'|] eqn:E; [|discriminate].
  intros _ t T. destruct (has_index _ _ W H _ _ _ T) as [b B].
  destruct (each_sound width height goal _ _ (fun b => won width height goal 0 (put 0 b))
    (fun b => answered_sound _ _ W H goal _ _ _) _ _ _ E G) as [_ A].
  pose proof (stands_empty width height) as S.
  apply (A b).
  - rewrite B. apply (bit_playable _ _ W H _ _ _ _ _ S). eauto.
  - apply stands_yours; auto using one_disc_is_no_four.
Qed.
